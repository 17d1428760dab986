import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** Refuses plain HTTP, action by action: a wildcard in a policy hides what a resource is used for. */
export const tlsOnly = (resources: string[], actions: string[]): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions,
    resources,
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });
