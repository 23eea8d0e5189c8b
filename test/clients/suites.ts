/** A shop's payment tests in each language, as its team would write them; how they are run, and what they then print. */
import { fileURLToPath } from 'node:url';
import type { Program } from './programs.ts';

export interface Suite extends Program {
  readonly language: string;
  /** Beside this file, in `suites/`. */
  readonly file: string;
  /** How a person runs it, in the folder of the file. */
  readonly line: string;
  readonly args: readonly string[];
  /** In what it prints, each of the four tests that passed or the count of them. */
  readonly proof: RegExp;
}

export const suitesFolder = fileURLToPath(new URL('suites/', import.meta.url));

const okLines = /(?:^ok .+\n){4}/m;

export const suites: readonly Suite[] = [
  {
    language: 'curl',
    file: 'curl/shop.sh',
    line: 'bash shop.sh',
    command: 'bash',
    args: ['shop.sh'],
    probe: ['-c', 'curl --version'],
    needs: 'curl',
    proof: okLines,
  },
  {
    language: 'Go',
    file: 'go/shop_test.go',
    line: 'go test',
    command: 'go',
    // Not from the cache: a sandbox that was not asked proves nothing.
    args: ['test', '-count=1', '-v', './...'],
    probe: ['version'],
    needs: 'Go',
    proof: /(?:[\s\S]*--- PASS){4}[\s\S]*^ok /m,
  },
  {
    language: 'Java',
    file: 'java/ShopTest.java',
    line: 'java ShopTest.java',
    command: 'java',
    args: ['ShopTest.java'],
    // A source file is run as it is only where the compiler is there.
    probe: ['--describe-module', 'jdk.compiler'],
    needs: 'Java Development Kit',
    proof: okLines,
  },
  {
    language: 'Node',
    file: 'node/shop.test.mjs',
    line: 'node --test',
    command: process.execPath,
    args: ['--test', '--test-reporter=tap', 'shop.test.mjs'],
    probe: ['--version'],
    needs: 'Node',
    proof: /^# pass 4$/m,
  },
  {
    language: 'PHP',
    file: 'php/shop_test.php',
    line: 'php shop_test.php',
    command: 'php',
    args: ['shop_test.php'],
    probe: ['--version'],
    needs: 'PHP',
    proof: okLines,
  },
  {
    language: 'Python',
    file: 'python/test_shop.py',
    line: 'python3 -m unittest` or `pytest',
    command: 'python3',
    args: ['-B', '-m', 'unittest', '-v'],
    probe: ['--version'],
    needs: 'Python',
    proof: /(?:.+ \.\.\. ok\n){4}[\s\S]*^OK$/m,
  },
  {
    language: 'Ruby',
    file: 'ruby/shop_test.rb',
    line: 'ruby shop_test.rb',
    command: 'ruby',
    args: ['shop_test.rb'],
    probe: ['-e', "require 'minitest'"],
    needs: 'Ruby with minitest',
    proof: /^4 runs, \d+ assertions, 0 failures, 0 errors, 0 skips$/m,
  },
];
