/** The resources that the process uses. */

/** Resources of the whole process, including any other code in it. */
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

/** Reads the current values. */
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
