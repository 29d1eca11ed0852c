/** Holds a response as tests look into it. */
export interface TestResponse {
  status: number;
  headers: Headers;
  /** The parsed JSON, or else the text; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the properties that they expect
  body: any;
}

/** Reads a response to its end. */
export async function readTestResponse(response: Response): Promise<TestResponse> {
  const { status, headers } = response;
  const text = await response.text();
  if (text === '') return { status, headers, body: undefined };
  return { status, headers, body: headers.get('content-type')?.includes('json') ? JSON.parse(text) : text };
}
