// name: Table of pages
// params: none
// store: ladybug
// Columns of the user's own are added by add_page_column.
CREATE NODE TABLE IF NOT EXISTS Page(
    id INT64 PRIMARY KEY,
    url STRING,
    source_id INT64,
    status STRING
)
