/** A build file with every report of one code or rule about it. Each example is shown and executed. */
export interface Example {
  source: string
  messages: readonly string[]
  /** The file after its fixes. */
  fixed?: string
  /** The fixes change the jobs, so they are applied only on request. */
  onRequest?: true
  /** Reported with the option `support`. */
  support?: true
  /** The source is a settings file, not a build file. */
  settings?: true
  /** Reported when jobs are made for a push to this branch. */
  branch?: string
  /** Reported when these files are imported, by source: their text, or the reason for their refusal. */
  imports?: Readonly<Record<string, string | { refused: string }>>
}
