"""What the benchmarks over HTTP share: databases of their own, a ride, servers on loopback, and phones that ask."""
