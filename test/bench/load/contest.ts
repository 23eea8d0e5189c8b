/** Two servers under the same load in turn, and the CPU time of each. */
import type { Both, Burst, BurstResult, Generator } from './burst.ts';
import type { Running } from '../processes/servers.ts';
import type { Settings } from '../settings.ts';
import { inTurn } from '../statistics.ts';
import type { Traffic } from './traffic.ts';
import { warmUp } from './warm-up.ts';

export interface Contender {
  readonly server: Running;
  readonly traffic: Traffic;
}

/** The number of answers, and the CPU time of the server. */
export interface Answered extends BurstResult {
  readonly cpuSeconds: number;
}

export class Contest {
  readonly #contenders: Both<Contender>;
  readonly #settings: Settings;
  #nextNumber: number;

  constructor(contenders: Both<Contender>, settings: Settings, firstNumber = 0) {
    this.#contenders = contenders;
    this.#settings = settings;
    this.#nextNumber = firstNumber;
  }

  async warmUp(load: Generator): Promise<void> {
    for (const contender of this.#contenders) {
      await warmUp(this.#settings, async (seconds) => {
        const { requests } = await load.send(this.#burst(contender, seconds));
        this.#nextNumber += requests;
        return requests;
      });
    }
  }

  /** A burst on each side in short turns. The side that starts alternates with the pair. */
  async pair(number: number, load: Generator): Promise<Both<Answered>> {
    return this.#asPaired(number, async (contenders) => {
      const [one, other] = contenders;
      const before = readings(contenders);
      const { burstSeconds } = this.#settings;
      const bursts = [this.#burst(one, burstSeconds), this.#burst(other, burstSeconds)] as const;
      const [first, second] = await load.sendInTurns(bursts);
      const after = readings(contenders);
      this.#nextNumber += Math.max(first.requests, second.requests);
      return [
        { ...first, cpuSeconds: after[0] - before[0] },
        { ...second, cpuSeconds: after[1] - before[1] },
      ];
    });
  }

  /** A burst on each side, one after the other, to measure latencies. */
  async latencies(number: number, load: Generator): Promise<Both<BurstResult>> {
    return this.#asPaired(number, async ([one, other]) => {
      const first = await load.send(this.#burst(one, this.#settings.burstSeconds));
      this.#nextNumber += first.requests;
      const second = await load.send(this.#burst(other, this.#settings.burstSeconds));
      this.#nextNumber += second.requests;
      return [first, second];
    });
  }

  /** Results are in the order of the contenders, whichever went first. */
  async #asPaired<T>(
    number: number,
    run: (contenders: Both<Contender>) => Promise<Both<T>>,
  ): Promise<Both<T>> {
    const contenders = inTurn(this.#contenders, number);
    const [first, second] = await run(contenders);
    return contenders[0] === this.#contenders[0] ? [first, second] : [second, first];
  }

  #burst({ server, traffic }: Contender, seconds: number): Burst {
    return { url: server.url, traffic, seconds, firstNumber: this.#nextNumber };
  }
}

function readings([one, other]: Both<Contender>): Both<number> {
  return [one.server.read().cpuSeconds, other.server.read().cpuSeconds];
}

/** Answers for each second of CPU time. */
export function perCpuSecond({ requests, cpuSeconds }: Answered): number {
  return requests / cpuSeconds;
}
