"""Which frontier pages will matter: impact-driven ranking (Tran et al. 2015)."""
