#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| recount_fuzz::cursor_agent(data));
