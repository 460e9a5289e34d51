/** A service that a build file can name, as its official image runs it. */
export interface ServiceRow {
  /** The image, as a template of its version; absent if there is no official one. */
  image?: string
  /** The version without a request. */
  usual: string
  port: number
  /** A path that answers 200 once the service is ready; otherwise an open port means ready. */
  http?: string
  /** The longest start. */
  seconds: number
  /** The limit of its memory in MiB. */
  memory: number
  env?: Readonly<Record<string, string>>
  /** Arguments for the usual image. */
  command?: readonly string[]
  /** The folder of its socket, which it shares with the job. */
  sockets?: string
  /** Files by their paths, from which the image makes users. */
  files?: Readonly<Record<string, string>>
  /** Programs for the job, each by its name or `NAME:OTHER`, where OTHER serves if NAME is missing. */
  clients?: readonly string[]
  /** Variables of the job. */
  variables?: Readonly<Record<string, string>>
  /** The account that build files become to call them, with a folder for its home. */
  account?: { name: string; home: string }
  /** Other names under which init scripts know it. */
  units?: readonly string[]
  /** A Docker engine for the job: it has all rights on the machine, and the job's home. */
  is_engine?: true
  /** Maximum number of open files, for a program that makes a table as large as this limit. */
  open_files?: number
}

/** Users whom build files take for granted: that of the hosted machines, and the user that jobs run as. */
const users = ['service', 'root']

const postgresUsers = users.map(
  (name) => `create role ${name} superuser login;\ncreate database ${name} owner ${name};\n`,
)

const mysqlUser =
  "create user 'service'@'%';\ngrant all privileges on *.* to 'service'@'%' with grant option;\n"

const sqlFolder = '/docker-entrypoint-initdb.d'

const mysqlSockets = '/var/run/mysqld'

const mysqlClients = [
  ...['mysql:mariadb', 'mysqladmin:mariadb-admin'],
  ...['mysqldump:mariadb-dump', 'mysqlimport:mariadb-import'],
]

export const serviceTable: Readonly<Record<string, ServiceRow>> = {
  cassandra: {
    image: 'cassandra:{version}',
    usual: '4.1',
    port: 9042,
    seconds: 180,
    memory: 2048,
    env: { MAX_HEAP_SIZE: '512M', HEAP_NEWSIZE: '128M' },
  },
  couchdb: {
    image: 'couchdb:{version}',
    usual: '3',
    port: 5984,
    http: '/_up',
    seconds: 60,
    memory: 256,
    env: { COUCHDB_USER: 'admin', COUCHDB_PASSWORD: 'service' },
  },
  docker: {
    image: 'docker:{version}',
    usual: '27-dind',
    port: 2375,
    seconds: 60,
    // More than there is: it gets half of the job's memory.
    memory: 1024 ** 2,
    env: { DOCKER_TLS_CERTDIR: '' },
    clients: ['docker'],
    variables: { DOCKER_HOST: 'tcp://localhost:2375' },
    units: ['docker-engine'],
    is_engine: true,
  },
  elasticsearch: {
    image: 'elasticsearch:{version}',
    usual: '7.17.28',
    port: 9200,
    http: '/_cluster/health?wait_for_status=yellow&timeout=1s',
    seconds: 120,
    memory: 1536,
    env: {
      'discovery.type': 'single-node',
      'xpack.security.enabled': 'false',
      'node.store.allow_mmap': 'false',
      ES_JAVA_OPTS: '-Xms512m -Xmx512m',
    },
  },
  mariadb: {
    image: 'mariadb:{version}',
    usual: '10.11',
    port: 3306,
    seconds: 90,
    memory: 512,
    // Before 10.6 it knew only the second name.
    env: {
      MARIADB_ALLOW_EMPTY_ROOT_PASSWORD: '1',
      MYSQL_ALLOW_EMPTY_PASSWORD: '1',
      MARIADB_ROOT_HOST: '%',
    },
    sockets: mysqlSockets,
    files: { [`${sqlFolder}/users.sql`]: mysqlUser },
    clients: mysqlClients,
    units: ['mysql', 'mysqld'],
  },
  memcached: {
    image: 'memcached:{version}',
    usual: '1',
    port: 11211,
    seconds: 30,
    memory: 128,
    units: ['memcache'],
  },
  mongodb: {
    image: 'mongo:{version}',
    usual: '7',
    port: 27017,
    seconds: 60,
    memory: 1024,
    clients: ['mongo:mongosh', 'mongosh'],
    units: ['mongod', 'mongo'],
  },
  mysql: {
    image: 'mysql:{version}',
    usual: '8.0',
    port: 3306,
    seconds: 120,
    memory: 1024,
    env: { MYSQL_ALLOW_EMPTY_PASSWORD: '1', MYSQL_ROOT_HOST: '%' },
    // Old drivers know no other way to log in.
    command: ['--default-authentication-plugin=mysql_native_password'],
    sockets: mysqlSockets,
    files: { [`${sqlFolder}/users.sql`]: mysqlUser },
    clients: mysqlClients,
    units: ['mysqld'],
  },
  neo4j: {
    image: 'neo4j:{version}',
    usual: '4.4',
    port: 7474,
    http: '/',
    seconds: 120,
    memory: 1024,
    env: { NEO4J_AUTH: 'none' },
    units: ['neo4j-server'],
  },
  postgresql: {
    image: 'postgres:{version}',
    usual: '16',
    port: 5432,
    seconds: 60,
    memory: 512,
    env: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
    // Data of a job is dropped with its machine, so nothing needs to be synced to disk.
    command: ['-c', 'fsync=off'],
    sockets: '/var/run/postgresql',
    files: { [`${sqlFolder}/users.sql`]: postgresUsers.join('') },
    account: { name: 'postgres', home: '/var/lib/postgresql' },
    clients: [
      ...['psql', 'createdb', 'dropdb', 'createuser', 'dropuser'],
      ...['pg_dump', 'pg_restore', 'pg_isready'],
    ],
    units: ['postgres'],
  },
  rabbitmq: {
    image: 'rabbitmq:{version}',
    usual: '3',
    port: 5672,
    seconds: 90,
    memory: 512,
    units: ['rabbitmq-server'],
    open_files: 65_536,
  },
  redis: {
    image: 'redis:{version}',
    usual: '7',
    port: 6379,
    seconds: 30,
    memory: 256,
    clients: ['redis-cli'],
    units: ['redis-server'],
  },
  rethinkdb: { image: 'rethinkdb:{version}', usual: '2.4', port: 28015, seconds: 60, memory: 512 },
  riak: { usual: '3', port: 8087, seconds: 120, memory: 1024 },
}
