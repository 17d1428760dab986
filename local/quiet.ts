/**
 * The SDK says on every start that releases from January 2027 need Node 22. Our pins are older than
 * that; the note is for whoever raises them, so it is kept out of a newcomer's first screen.
 */
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
