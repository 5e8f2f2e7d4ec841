"""Parts of screens: small, with their own style sheets, and no rules of games or learning."""
