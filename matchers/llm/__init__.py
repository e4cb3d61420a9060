"""A language model as matcher, over any server that speaks OpenAI's protocol: prompts, answers, cache, client."""
