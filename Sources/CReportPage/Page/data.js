// data
