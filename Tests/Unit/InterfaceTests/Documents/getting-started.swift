import Testing

func deliverBolts() async {}
