"""Rules, referee and the words everybody shares: pure functions on frozen values, nothing ever happens here."""
