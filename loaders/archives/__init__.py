"""Web archives: WARC and ARC files, the metadata of WAT files, the indexes CDX and CDXJ."""
