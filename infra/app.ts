import { App } from 'aws-cdk-lib';
import { BoomerangStack } from './stack.ts';

/**
 * The whole deployment. It names no account and no region and looks nothing up, so it is built offline and
 * goes to whatever AWS, or AWS-shaped endpoint, the credentials point at.
 */
export const boomerang = new BoomerangStack(new App(), 'Boomerang', {
  description: 'Boomerang: slow tools for AI agents',
});
