/** A build file with all that one code or rule has to say about it. Each is shown and executed. */
export interface Example {
  source: string
  messages: readonly string[]
  /** The file after its fixes. */
  fixed?: string
  /** Those fixes change the jobs, so they are applied only when asked for. */
  onRequest?: true
  /** It comes up when what does not apply to the language or system is asked for. */
  support?: true
  /** It comes up when jobs are made for a push to this branch. */
  branch?: string
  /** It comes up when these files are imported, by source: their text, or why they are refused. */
  imports?: Readonly<Record<string, string | { refused: string }>>
}
