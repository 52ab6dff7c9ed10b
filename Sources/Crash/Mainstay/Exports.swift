// Re-exports all libraries that a service needs, without the interposed blocking calls.
@_exported import Breadcrumbs
@_exported import CrashCapture
@_exported import ThreadAffinity
