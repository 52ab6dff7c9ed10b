//  BZDrawer.m
#import "BZDrawer.h"

#define BZAssertMain() NSAssert([NSThread isMainThread], @"%s must be called on the main thread", __func__)

@implementation BZDrawer

- (void)open {
    BZAssertMain();
    if (![NSThread isMainThread]) {
        @throw [NSException exceptionWithName:NSInternalInconsistencyException
                                       reason:@"This method must be called on the main thread."
                                     userInfo:nil];
    }
    [self.layer setOpacity:1.0];
}

/// Must be used from main thread only. Asserts otherwise:
/// *** Assertion failure in -[BZDrawer close], BZDrawer.m:31
- (void)close {
    dispatch_assert_queue(dispatch_get_main_queue());
    NSLog(@"UI API called on a background thread: %s", __func__);
}

@end
