"""Which frontier pages will matter: impact-driven ranking (paper 004)."""
