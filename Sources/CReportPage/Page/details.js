// details
