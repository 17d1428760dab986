/**
 * Whether something that a tool asked was not to be had: the AWS SDK marks whatever its clients throw.
 * That is not the tool author's doing, and what it says names parts of the deployment.
 */
export const isOutage = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && '$metadata' in thrown;

export const outageText = 'Something that the tool needs failed.';
