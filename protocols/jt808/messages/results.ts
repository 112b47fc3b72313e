/** Results of 0001 and 1206, and of the camera (0805). */
export const RESULTS: readonly string[] = ['done', 'failed', 'message wrong', 'not supported'];
export const CAMERA_RESULTS: readonly string[] = ['done', 'failed', 'no such channel'];
