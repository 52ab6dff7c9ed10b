class TriageTest {
  @Test fun android() {
    val trace = """
      Exception in thread "pool-1" android.view.ViewRootImpl${'$'}CalledFromWrongThreadException: Only the original thread that created a view hierarchy can touch its views.
      	at android.view.ViewRootImpl.checkThread(ViewRootImpl.java:8798)
      	at android.view.View.requestLayout(View.java:24454)
      	at android.widget.TextView.setText(TextView.java:1)
    """
    assertEquals("thread.android", triage(trace))
  }
}
