import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Container } from 'dockerode'
import type { JobService } from '../../../../script/services/requested-services.ts'
import { unlessAborted } from '../../../start-machine.ts'

/** A service and the container that it runs in. */
export interface StartedService {
  service: JobService
  container: Container
}

export type Readiness =
  | { ready: true }
  | { failed: StartedService; code: number; out_of_memory: boolean }
  | { late: StartedService }

/**
 * Waits until all services accept connections. The container that guards the network checks from
 * inside: the addresses of a remote engine's containers cannot be reached from here.
 */
export async function waitUntilReady(
  started: readonly StartedService[],
  { guard, signal, say }: WaitOptions,
): Promise<Readiness> {
  const pending = new Map(started.map((each) => [each.service.name, each]))
  const output = await look(guard, started)
  let tooLate: StartedService | undefined
  const reading = readLines(output, (line) => {
    const [name = '', isLate] = line.split(' ')
    const found = pending.get(name)
    if (isLate !== undefined) tooLate = found
    else if (found && pending.delete(name)) say(`${name}: ready`)
  })
  reading.catch(() => {})
  try {
    for (;;) {
      const over = await unlessAborted(
        Promise.race([reading.then(() => true), pause(lookEvery, false, { ref: false })]),
        signal,
      )
      if (pending.size === 0) return { ready: true }
      for (const each of pending.values()) {
        const { State: state } = await each.container.inspect()
        if (state.Running) continue
        return { failed: each, code: state.ExitCode, out_of_memory: state.OOMKilled }
      }
      const [first] = pending.values()
      const late = tooLate ?? first
      if (over && late) return { late }
    }
  } finally {
    output.destroy()
  }
}

interface WaitOptions {
  guard: Container
  signal: AbortSignal
  say: (line: string) => void
}

const lookEvery = 500

async function look(guard: Container, started: readonly StartedService[]): Promise<Readable> {
  const wanted = started.map(({ service: { name, port, http = '', seconds } }) =>
    [name, port, seconds, http].join(' '),
  )
  const Cmd = ['perl', '-e', untilOpen, ...wanted]
  const exec = await guard.exec({ Cmd, AttachStdout: true, AttachStderr: true, Tty: true })
  return exec.start({ Tty: true })
}

async function readLines(output: Readable, call: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: output, crlfDelay: Infinity }))
    call(line.trim())
}

/**
 * Prints the name of each service once it is ready. Ends when all are ready, or when the time of
 * one service is over: then it prints that name with the word `late`.
 */
const untilOpen = `
use strict; use Socket;
$| = 1;
$SIG{PIPE} = "IGNORE";
my $begun = time;
sub is_open {
  my ($port, $path) = @_;
  socket(my $tcp, PF_INET, SOCK_STREAM, 0) or return 0;
  connect($tcp, sockaddr_in($port, INADDR_LOOPBACK)) or return 0;
  return 1 if $path eq "";
  my $said = "";
  local $SIG{ALRM} = sub { die };
  eval {
    alarm 3;
    syswrite $tcp, "GET $path HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n";
    sysread $tcp, $said, 100;
    alarm 0;
  };
  return $said =~ m{^HTTP/1\\.. 200};
}
my @waiting = map { [split / /, $_, 4] } @ARGV;
while (@waiting) {
  @waiting = grep {
    my ($name, $port, undef, $path) = @$_;
    my $open = is_open($port, $path);
    print "$name\\n" if $open;
    !$open;
  } @waiting;
  for (grep { time - $begun > $_->[2] } @waiting) { print "$_->[0] late\\n"; exit 1 }
  select undef, undef, undef, 0.1 if @waiting;
}
`
