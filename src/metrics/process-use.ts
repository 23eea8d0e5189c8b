/** What the process uses, by the names that Prometheus clients give it. */

/** Counted for the whole process, whoever else runs in it. */
export interface ProcessUse {
  readonly nodeVersion: string;
  readonly cpuUser: number;
  readonly cpuSystem: number;
  readonly started: number;
  readonly residentBytes: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly externalBytes: number;
}

/** Reads it, as it is now. */
export function readProcessUse(): ProcessUse {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return {
    nodeVersion: process.version,
    cpuUser: user / 1e6,
    cpuSystem: system / 1e6,
    started: Date.now() / 1000 - process.uptime(),
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
  };
}
