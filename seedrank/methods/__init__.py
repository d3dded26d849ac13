"""The methods, a folder per family of questions: a paper's method is found by its name."""
