"""What can be asked, as data: one frozen dataclass per kind of question, each field declared once.

question       fields with their help, range and default; `Question`, which checks them
methods        `Method` and `Family`: who answers, and which fields each uses
graph, rank, seeds, crawl, frontier, recrawl, experiments
               the questions
commands       every kind of question by the command that asks it
"""
