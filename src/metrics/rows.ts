/** Every metric there is: what is written for Prometheus, and listed in README, is made from these rows. */

/** One metric. Its labels hold words of our own alone, so there are never more series than these words allow. */
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
    help: 'Always 1; the labels say what runs',
  },
  requests: {
    name: own('requests_total'),
    type: 'counter',
    labels: ['operation', 'status'],
    help: 'Requests under /v1 by what was asked and what was answered, whether or not a fault let it arrive',
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
    help: 'Requests with a card or a credential that could be real',
  },
  duration: {
    name: own('request_duration_seconds'),
    type: 'histogram',
    labels: ['operation'],
    help: 'From a request to the end of its answer, forced delays included',
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
    help: 'The most there may be',
  },
  records: {
    name: own('records'),
    type: 'gauge',
    labels: [],
    help: 'Records of all worlds',
  },
  snapshots: {
    name: own('snapshots'),
    type: 'gauge',
    labels: [],
    help: 'Snapshots that all merchants keep',
  },
  snapshotRecords: {
    name: own('snapshot_records'),
    type: 'gauge',
    labels: [],
    help: 'Records in them; what snapshots and worlds have alike counts in each and is kept once',
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
    help: 'What they take',
  },
  journalDropped: {
    name: own('journal_dropped_total'),
    type: 'counter',
    labels: [],
    help: 'Exchanges that made room for newer ones, whatever was reset since',
  },
  waits: {
    name: own('waits'),
    type: 'gauge',
    labels: [],
    help: 'Calls that wait for exchanges, or for those under way to end',
  },
  requestIdsDropped: {
    name: own('request_ids_dropped'),
    type: 'gauge',
    labels: [],
    help: 'Request ids that the worlds forgot before their time',
  },
  rules: {
    name: own('rules'),
    type: 'gauge',
    labels: [],
    help: 'Rules of all worlds, armed or of a scenario',
  },
  rulesUnfired: {
    name: own('rules_unfired'),
    type: 'gauge',
    labels: [],
    help: 'Those that should have fired and never did',
  },
  cpuUser: {
    name: 'process_cpu_user_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process, its own code',
  },
  cpuSystem: {
    name: 'process_cpu_system_seconds_total',
    type: 'counter',
    labels: [],
    help: 'Processor time of the process, the system on its behalf',
  },
  started: {
    name: 'process_start_time_seconds',
    type: 'gauge',
    labels: [],
    help: 'When the process began, in seconds since 1970',
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
    help: 'JavaScript heap that is set aside',
  },
  externalBytes: {
    name: 'nodejs_external_memory_bytes',
    type: 'gauge',
    labels: [],
    help: 'Memory of buffers and the like, outside the heap',
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricName = keyof typeof metricRows;
