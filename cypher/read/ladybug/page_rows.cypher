// name: Row numbers and ids of pages
// params: none
// store: ladybug
// Row number and id differ once pages were deleted by hand.
MATCH (p:Page)
RETURN offset(id(p)) AS row, p.id AS id
