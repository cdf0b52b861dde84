"""What the portal is made of besides its own code: names, licences, known faults."""
