// filter
