// name: Add anchors to links
// params: none
// store: ladybug
ALTER TABLE LINKS_TO ADD IF NOT EXISTS anchors STRING[]
