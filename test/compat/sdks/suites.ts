/** The test suite of a shop in each language: how to run it, and what it prints. */
import { join } from 'node:path';
import { root } from '../../support/repository/source-files.ts';
import type { Program } from './programs.ts';

export interface Suite extends Program {
  readonly language: string;
  /** Path in `docs/suites/`. */
  readonly file: string;
  /** The test runner. */
  readonly runner: string;
  /** The command that a person uses, in the folder of the file. */
  readonly line: string;
  /** `BUILT` names a folder for compilers to write to. */
  readonly args: readonly string[];
  /** The output shows four passed tests, or their number. */
  readonly proof: RegExp;
}

export const suitesFolder = join(root, 'docs', 'suites');

// The paths of Debian's packages.
const junit = '/usr/share/java/junit-platform-console-standalone.jar';
const nunit = '/usr/lib/cli/nunit.framework-2.6.3/nunit.framework.dll';
const jsonNet = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';

export const suites: readonly Suite[] = [
  {
    language: 'C#',
    file: 'dotnet/ShopTests.cs',
    runner: 'NUnit',
    line: 'dotnet test',
    command: 'bash',
    args: [
      '-euc',
      `mcs -target:library -out:"$BUILT/ShopTests.dll" -r:System.Net.Http.dll -r:${nunit} -r:${jsonNet} ShopTests.cs
      nunit-console -nologo -noresult "$BUILT/ShopTests.dll"`,
    ],
    probe: ['-ec', `mcs --version; nunit-console -help; test -e ${nunit} -a -e ${jsonNet}`],
    needs: 'Mono with NUnit and Json.NET at the paths of Debian',
    proof: /^Tests run: 4, Errors: 0, Failures: 0, Inconclusive: 0,.*\n +Not run: 0,/m,
  },
  {
    language: 'curl',
    file: 'curl/shop.sh',
    runner: 'the shell',
    line: 'bash shop.sh',
    command: 'bash',
    args: ['shop.sh'],
    probe: ['-c', 'curl --version'],
    needs: 'curl',
    proof: /(?:^ok .+\n){4}/m,
  },
  {
    language: 'Go',
    file: 'go/shop_test.go',
    runner: '`testing`',
    line: 'go test',
    command: 'go',
    // Without the test cache: a cached result sends no request to the sandbox.
    args: ['test', '-count=1', '-v', './...'],
    probe: ['version'],
    needs: 'Go',
    proof: /(?:[\s\S]*--- PASS){4}[\s\S]*^ok /m,
  },
  {
    language: 'Java',
    file: 'java/ShopTest.java',
    runner: 'JUnit 5',
    line: 'mvn test` or `gradle test',
    command: 'bash',
    args: [
      '-euc',
      `javac -cp ${junit} -d "$BUILT" ShopTest.java
      java -jar ${junit} --class-path "$BUILT" --select-class ShopTest --disable-ansi-colors`,
    ],
    probe: ['-ec', `javac --version; test -e ${junit}`],
    needs: 'Java Development Kit with JUnit 5 at the path of Debian',
    proof: /^\[ +4 tests successful +\]\n\[ +0 tests failed +\]$/m,
  },
  {
    language: 'Node',
    file: 'node/shop.test.mjs',
    runner: '`node:test`',
    line: 'node --test',
    command: process.execPath,
    args: ['--test', '--test-reporter=tap', 'shop.test.mjs'],
    probe: ['--version'],
    needs: 'Node',
    proof: /^# pass 4$/m,
  },
  {
    language: 'PHP',
    file: 'php/ShopTest.php',
    runner: 'PHPUnit',
    line: 'phpunit ShopTest.php',
    command: 'phpunit',
    args: ['--no-configuration', '--do-not-cache-result', 'ShopTest.php'],
    probe: ['--version'],
    needs: 'PHPUnit',
    proof: /^OK \(4 tests, \d+ assertions\)$/m,
  },
  {
    language: 'Python',
    file: 'python/test_shop.py',
    runner: '`unittest`',
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
    runner: 'minitest',
    line: 'ruby shop_test.rb',
    command: 'ruby',
    args: ['shop_test.rb'],
    probe: ['-e', "require 'minitest'"],
    needs: 'Ruby with minitest',
    proof: /^4 runs, \d+ assertions, 0 failures, 0 errors, 0 skips$/m,
  },
];
