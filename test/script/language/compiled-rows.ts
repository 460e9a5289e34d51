import { type CommandRow, stub } from './command-row.ts'

const maven = 'install -DskipTests=true -Dmaven.javadoc.skip=true -B -V'

export const compiledRows: readonly CommandRow[] = [
  ['c', ['configure'], ['./configure && make && make test']],

  ['clojure', [], ['service_retry lein deps', 'lein test']],

  ['cpp', ['configure'], ['./configure && make && make test']],

  ['crystal', [], ['crystal spec']],
  ['crystal', ['shard.yml'], ['service_retry shards install', 'crystal spec']],

  [
    { language: 'csharp', solution: 'a.sln' },
    [],
    ['service_retry nuget restore a.sln', 'msbuild /p:Configuration=Release a.sln'],
    { msbuild: '15', xbuild: '4' },
  ],
  [
    { language: 'csharp', solution: 'a b.sln' },
    [],
    [`service_retry nuget restore 'a b.sln'`, `xbuild /p:Configuration=Release 'a b.sln'`],
    { xbuild: '4' },
  ],

  ['d', [], ['dub test --compiler=$DC']],
  [{ language: 'd', d: 'ldc-1.30.0' }, [], ['dub test --compiler=$DC']],

  ['go', [], ['service_retry go get -v -t ./...', 'go test -v ./...']],
  ['go', ['Makefile'], ['make']],
  ['go', ['GNUmakefile'], ['make']],
  ['go', ['BSDmakefile'], ['make']],
  [
    { language: 'go', gobuild_args: '-race -tags "a b"' },
    [],
    ['service_retry go get -race -tags "a b" -t ./...', 'go test -race -tags "a b" ./...'],
  ],

  ['groovy', ['build.gradle.kts'], ['gradle assemble', 'gradle check']],
  ['groovy', [], ['ant test']],

  [
    'haskell',
    [],
    [
      'service_retry cabal update',
      'cabal install --only-dependencies --enable-tests',
      'cabal configure --enable-tests && cabal build && cabal test',
    ],
  ],

  [
    { language: 'haxe', hxml: ['a.hxml', 'b c.hxml'] },
    [],
    [
      'service_retry haxelib install --always a.hxml',
      `service_retry haxelib install --always 'b c.hxml'`,
      ...['haxe a.hxml', `haxe 'b c.hxml'`],
    ],
  ],

  ['java', [], ['ant test']],
  [
    'java',
    { gradlew: stub(''), mvnw: stub(''), 'build.gradle': '', 'pom.xml': '' },
    ['./gradlew assemble', './gradlew check'],
  ],
  ['java', ['build.gradle', 'pom.xml'], ['gradle assemble', 'gradle check']],
  ['java', { mvnw: stub(''), 'pom.xml': '' }, [`./mvnw ${maven}`, './mvnw test -B']],
  ['java', ['pom.xml'], [`mvn ${maven}`, 'mvn test -B']],

  ['nix', [], ['nix-build']],

  ['rust', [], ['cargo build --verbose', 'cargo test --verbose']],

  ['scala', ['pom.xml'], [`mvn ${maven}`, 'mvn test -B']],
  ['scala', ['build.sbt', 'pom.xml'], ['sbt test']],
  [
    { language: 'scala', scala: '2.13.1', sbt_args: '-v' },
    ['project/build.properties'],
    ['sbt -v ++2.13.1 test'],
  ],
]
