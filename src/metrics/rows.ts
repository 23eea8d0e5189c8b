/** Every metric, as one table. The text for Prometheus and the list in the documentation are made from it. */

/** One metric. Its labels hold only words of our own, so that the number of series is bounded. */
export interface MetricRow {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const own = (name: string): string => `card_vault_sandbox_${name}`;

export const metricRows = {
  info: {
    name: own('info'),
    type: 'gauge',
    labels: ['version', 'profile', 'node'],
    help: 'Always 1; the labels show what is running',
  },
  requests: {
    name: own('requests_total'),
    type: 'counter',
    labels: ['operation', 'status'],
    help: 'Requests under /v1 by operation and status, whether or not the answer arrived',
  },
  outcomes: {
    name: own('outcomes_total'),
    type: 'counter',
    labels: ['operation', 'outcome'],
    help: 'Outcomes that were forced on requests',
  },
  warnings: {
    name: own('warnings_total'),
    type: 'counter',
    labels: ['kind'],
    help: 'Requests with a card number or credential that could be real',
  },
  duration: {
    name: own('request_duration_seconds'),
    type: 'histogram',
    labels: ['operation'],
    help: 'Time from a request to the end of its answer, including forced delays',
  },
  underWay: {
    name: own('requests_under_way'),
    type: 'gauge',
    labels: [],
    help: 'Requests that have no answer yet',
  },
  merchants: {
    name: own('merchants'),
    type: 'gauge',
    labels: [],
    help: 'Merchants that have a world',
  },
  merchantsMax: {
    name: own('merchants_max'),
    type: 'gauge',
    labels: [],
    help: 'Maximum number of merchants (--max-merchants)',
  },
  records: {
    name: own('records'),
    type: 'gauge',
    labels: [],
    help: 'Records in all worlds',
  },
  snapshots: {
    name: own('snapshots'),
    type: 'gauge',
    labels: [],
    help: 'Snapshots of all merchants',
  },
  snapshotRecords: {
    name: own('snapshot_records'),
    type: 'gauge',
    labels: [],
    help: 'Records in all snapshots. A record that several share counts in each and is stored once',
  },
  journalEntries: {
    name: own('journal_entries'),
    type: 'gauge',
    labels: [],
    help: 'Exchanges in the journals of all worlds',
  },
  journalBytes: {
    name: own('journal_bytes'),
    type: 'gauge',
    labels: [],
    help: 'Bytes of the journals of all worlds',
  },
  journalDropped: {
    name: own('journal_dropped_total'),
    type: 'counter',
    labels: [],
    help: 'Exchanges that were dropped to make room for newer ones, resets included',
  },
  waits: {
    name: own('waits'),
    type: 'gauge',
    labels: [],
    help: 'Calls that wait for exchanges or held requests',
  },
  held: {
    name: own('held_requests'),
    type: 'gauge',
    labels: [],
    help: 'Requests that gates hold',
  },
  requestIdsDropped: {
    name: own('request_ids_dropped'),
    type: 'gauge',
    labels: [],
    help: 'Request ids that were forgotten early to make room for newer ones',
  },
  rules: {
    name: own('rules'),
    type: 'gauge',
    labels: [],
    help: 'Rules of all worlds, armed or from a scenario',
  },
  rulesUnfired: {
    name: own('rules_unfired'),
    type: 'gauge',
    labels: [],
    help: 'Rules that should have fired and never did',
  },
  cpuUser: {
    name: 'process_cpu_user_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process in user code',
  },
  cpuSystem: {
    name: 'process_cpu_system_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process in the system',
  },
  started: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    help: 'Start of the process, in seconds since 1970',
  },
  residentBytes: {
    name: 'process_resident_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of the process',
  },
  heapUsedBytes: {
    name: 'nodejs_heap_size_used_bytes',
    type: 'gauge',
    labels: [],
    help: 'JavaScript heap in use',
  },
  heapTotalBytes: {
    name: 'nodejs_heap_size_total_bytes',
    type: 'gauge',
    labels: [],
    help: 'JavaScript heap that is reserved',
  },
  externalBytes: {
    name: 'nodejs_external_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of buffers and the like, outside the heap',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricRows;
