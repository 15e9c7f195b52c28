"""The rules, the referee and the values they share: pure functions on frozen values, without side effects."""
