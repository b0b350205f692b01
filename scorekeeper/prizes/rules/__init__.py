"""The rules by which prizes are won: what they read (`facts`), their contract (`award_rule`), and the rules."""
