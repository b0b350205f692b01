"""What leaves the house: public pages and exports."""
