// All that a service wants, by one import. What stands in front of blocking calls is not among it.
@_exported import Breadcrumbs
@_exported import CrashCapture
@_exported import ThreadAffinity
