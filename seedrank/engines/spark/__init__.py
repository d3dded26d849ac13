"""The engine on Apache Spark: links stay there, vectors with a number per page are held by the driver.

Nothing is imported here: a Python worker of Spark loads `pack` and `block_tasks`, and no more than they need.
"""
