import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RoomFunction } from './room-function.ts';

/** What the rooms write into their log when it happens. */
const untoldFact = 'ended but not told';

/** Ends that somebody should have been told of for more than a minute: counted from the logs, with an alarm. */
export class Untold extends Construct {
  readonly alarm: Alarm;

  constructor(
    scope: Construct,
    id: string,
    rooms: Readonly<Record<'worker' | 'sweep', RoomFunction>>,
  ) {
    super(scope, id);
    const filters = [this.count(rooms.worker, 'Worker'), this.count(rooms.sweep, 'Sweep')] as const;
    this.alarm = new Alarm(this, 'Alarm', {
      alarmDescription:
        'A task has ended, and whoever waits for it was not told for over a minute.',
      // Every filter counts into the same metric.
      metric: filters[0].metric({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  private count({ logGroup }: RoomFunction, name: string): MetricFilter {
    return new MetricFilter(this, `${name}Filter`, {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.message', '=', untoldFact),
      metricNamespace: 'Boomerang',
      metricName: 'EndedButNotTold',
      metricValue: '1',
    });
  }
}
