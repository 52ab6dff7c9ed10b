// All libraries that a service needs, by one import, without the interposed blocking calls.
@_exported import Breadcrumbs
@_exported import CrashCapture
@_exported import ThreadAffinity
