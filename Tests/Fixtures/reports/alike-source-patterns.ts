// What the triage dialog looks for.
export const RULES = [
  { id: 'layout', match: /Modifications to the layout engine must not be performed from a background thread/ },
  { id: 'queue', match: /Block was expected to execute on queue \[com\.apple\.main-thread/ },
];

const ratio = total / count; // no pattern

export const SAMPLE = `
*** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: 'Modifications to the layout engine must not be performed from a background thread after it has been accessed from the main thread.'
*** First throw call stack:
(
	0   CoreFoundation                      0x00000001a5e0a96c __exceptionPreprocess + 224
	1   libobjc.A.dylib                     0x00000001a5b23028 objc_exception_throw + 59
	2   CoreAutoLayout                      0x00000001a6b94558 -[NSISEngine _optimizeWithoutRebuilding] + 72
)
`;

export const ANDROID = ['E AndroidRuntime: FATAL EXCEPTION: Thread-9', 'android.view.ViewRootImpl$CalledFromWrongThreadException: Only the original thread that created a view hierarchy can touch its views.'].join('\n');
