void ms_twin(void (*callback)(void));
