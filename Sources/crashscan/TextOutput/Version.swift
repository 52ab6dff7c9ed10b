/// The version of all that this package builds.
package let mainstayVersion = "0.1.0"
