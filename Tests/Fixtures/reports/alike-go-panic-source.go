package main

// A nil map ends in: panic: assignment to entry in nil map
func add(m map[string]int) {
	if m == nil {
		panic("no ledger")
	}
	m["a"] = 1
}
