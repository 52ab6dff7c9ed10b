// bars
