import { readBitbucket } from './readers/bitbucket.ts';
import { readBuildkite } from './readers/buildkite.ts';
import { readCircleci } from './readers/circleci.ts';
import { readGeneric } from './readers/generic.ts';
import { readGithub } from './readers/github.ts';
import { readGitlab } from './readers/gitlab.ts';
import { readJenkins } from './readers/jenkins.ts';
import type { CiProvider, CiReport } from './report.ts';

/** What a verified webhook says about a run; undefined when it is about something else. */
export function readReport(provider: CiProvider, body: unknown): CiReport | undefined {
  switch (provider) {
    case 'github':
      return readGithub(body);
    case 'gitlab':
      return readGitlab(body);
    case 'buildkite':
      return readBuildkite(body);
    case 'circleci':
      return readCircleci(body);
    case 'bitbucket':
      return readBitbucket(body);
    case 'jenkins':
      return readJenkins(body);
    case 'generic':
      return readGeneric(body);
  }
}
