/** Throws SWTException: ERROR_THREAD_INVALID_ACCESS, "Invalid thread access", if not called from the UI thread. */
public void setTitle(String title) {
  checkWidget();
}
