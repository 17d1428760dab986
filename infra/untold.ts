import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { RoomFunction } from './room-function.ts';

/** What the rooms write into their log when it happens. */
const untoldFact = 'ended but not told';
const namespace = 'Boomerang';
const metricName = 'EndedButNotTold';
const period = Duration.minutes(5);

/** Ends that somebody should have been told of for more than a minute: counted from the log, with an alarm. */
export class Untold extends Construct {
  readonly alarm: Alarm;

  constructor(scope: Construct, id: string, rooms: readonly RoomFunction[]) {
    super(scope, id);
    for (const room of rooms) {
      new MetricFilter(this, `${room.node.scope?.node.id ?? ''}Filter`, {
        logGroup: room.logGroup,
        filterPattern: FilterPattern.stringValue('$.message', '=', untoldFact),
        metricNamespace: namespace,
        metricName,
        metricValue: '1',
      });
    }
    this.alarm = new Alarm(this, 'Alarm', {
      alarmDescription:
        'A task has ended, and whoever waits for it was not told for over a minute.',
      metric: new Metric({ namespace, metricName, statistic: 'Sum', period }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
