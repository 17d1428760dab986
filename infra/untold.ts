import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Queues } from './queues.ts';
import type { RoomFunction } from './room-function.ts';

/** What the rooms write into their logs when it happens. */
const untoldFacts = ['ended but not told', 'webhook overdue'];
const unreachedFacts = ['receiver not reached'];

/** A message may be delayed for a quarter of an hour and held for another; what is older waits for nobody. */
const stuckMs = Duration.minutes(35);

interface UntoldProps {
  readonly rooms: Readonly<Record<'worker' | 'sweep' | 'notify', RoomFunction>>;
  readonly queues: Pick<Queues, 'resumes' | 'webhooks'>;
}

/**
 * Ends that somebody should have been told of for more than a minute: counted from the logs, with an
 * alarm, and with another for messages that no room takes. Receivers that are not reached are only
 * counted: that is no fault of the house.
 */
export class Untold extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { rooms, queues }: UntoldProps) {
    super(scope, id);
    const untold = this.count(rooms.worker, 'Worker', 'EndedButNotTold', untoldFacts);
    this.count(rooms.sweep, 'Sweep', 'EndedButNotTold', untoldFacts);
    this.count(rooms.notify, 'Notify', 'ReceiverNotReached', unreachedFacts);
    const untoldAlarm = this.watch('Alarm', {
      alarmDescription:
        'A task has ended, and whoever waits for it was not told for over a minute.',
      metric: untold.metric({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 1,
    });
    const stuckAlarm = this.watch('StuckAlarm', {
      alarmDescription: 'Whoever wakes sessions or posts webhooks takes no messages.',
      metric: oldestOf(queues),
      threshold: stuckMs.toSeconds(),
    });
    this.alarms = [untoldAlarm, stuckAlarm];
  }

  private count(
    { logGroup }: RoomFunction,
    name: string,
    metricName: string,
    facts: readonly string[],
  ): MetricFilter {
    const patterns = facts.map((fact) => FilterPattern.stringValue('$.message', '=', fact));
    return new MetricFilter(this, `${name}Filter`, {
      logGroup,
      filterPattern: FilterPattern.any(...patterns),
      metricNamespace: 'Boomerang',
      metricName,
      metricValue: '1',
    });
  }

  private watch(
    id: string,
    about: { alarmDescription: string; metric: IMetric; threshold: number },
  ): Alarm {
    return new Alarm(this, id, {
      ...about,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function oldestOf({ resumes, webhooks }: UntoldProps['queues']): IMetric {
  const ageOf = ({ live }: Queues['resumes']) =>
    live.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' });
  return new MathExpression({
    expression: 'MAX([resumes, webhooks])',
    usingMetrics: { resumes: ageOf(resumes), webhooks: ageOf(webhooks) },
    period: Duration.minutes(5),
  });
}
