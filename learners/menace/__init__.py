"""The matchbox machine MENACE."""
