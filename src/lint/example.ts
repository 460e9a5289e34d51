/** A build file with everything that one code or rule reports about it. Each is shown and executed. */
export interface Example {
  source: string
  messages: readonly string[]
  /** The file after its fixes. */
  fixed?: string
  /** Those fixes change the jobs, so they are applied only on request. */
  onRequest?: true
  /** It comes up with the option `support`. */
  support?: true
  /** It is a file of settings rather than a build file. */
  settings?: true
  /** It comes up when jobs are made for a push to this branch. */
  branch?: string
  /** It comes up when these files are imported, by source: their text, or why they are refused. */
  imports?: Readonly<Record<string, string | { refused: string }>>
}
