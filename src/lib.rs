//! Damier
